// mongosh runs this in the container mongodb-initiate at every start. It creates the replica set and its users if they do
// not exist, and sets the password of the user bluejay from the environment. The password of root never changes.
const { MONGODB_PASSWORD, MONGODB_ROOT_PASSWORD } = process.env;
const primaryWithinMs = 30_000;
const admin = db.getSiblingDB('admin');
const product = db.getSiblingDB('bluejay');

/** Signs in as root if users exist. Without users, MongoDB lets a client on the same machine create the first one. */
function signInAsRoot() {
  try {
    admin.auth('root', MONGODB_ROOT_PASSWORD);
    return true;
  } catch {
    return false;
  }
}

function waitForPrimary() {
  const deadline = Date.now() + primaryWithinMs;
  while (!db.hello().isWritablePrimary) {
    if (Date.now() > deadline) throw new Error('The replica set has no primary after 30 s.');
    sleep(100);
  }
}

const isKnown = signInAsRoot();
if (!db.hello().setName) rs.initiate({ _id: 'bluejay', members: [{ _id: 0, host: 'mongodb:27017' }] });
waitForPrimary();
if (!isKnown) {
  try {
    admin.createUser({ user: 'root', pwd: MONGODB_ROOT_PASSWORD, roles: ['root'] });
  } catch (error) {
    if (error.codeName !== 'Unauthorized') throw error;
    throw new Error('MONGODB_ROOT_PASSWORD is not the password of root: set it to the one of the first start.');
  }
  admin.auth('root', MONGODB_ROOT_PASSWORD);
}
const account = {
  pwd: MONGODB_PASSWORD,
  // Full access to its own database. `clusterMonitor` lets it read `transactionLifetimeLimitSeconds`, and is read-only.
  roles: [
    { role: 'dbOwner', db: 'bluejay' },
    { role: 'clusterMonitor', db: 'admin' },
  ],
};
if (product.getUser('bluejay')) product.updateUser('bluejay', account);
else product.createUser({ user: 'bluejay', ...account });
