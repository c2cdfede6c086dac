# Images with the programs, users and folders of the official ones, as far as the Dockerfile and docker-compose.yml use
# them. `debian` is a minimal Debian 12, made on this machine.
FROM bluejay-stand-in/debian:12 AS node
COPY node /usr/local/bin/
COPY node_modules/npm /usr/local/lib/node_modules/npm
# A registry may use a private certificate authority.
COPY ca-certificates.crt /etc/ssl/certs/
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && mkdir -p /usr/local/etc && \
    echo cafile=/etc/ssl/certs/ca-certificates.crt > /usr/local/etc/npmrc && useradd --uid 1000 --create-home node

FROM bluejay-stand-in/debian:12 AS mongodb
COPY mongod node /usr/local/bin/
COPY node_modules /usr/local/lib/node_modules
RUN for program in 'docker-entrypoint.sh' 'mongosh node /usr/local/lib/node_modules/mongosh/bin/mongosh.js'; do \
      set -- $program && file=/usr/local/bin/$1 && shift && \
      printf '#!/bin/sh\nexec %s "$@"\n' "$*" > $file && chmod +x $file; \
    done && \
    useradd --uid 999 mongodb && install -d -o mongodb /data/db /data/configdb
ENTRYPOINT ["docker-entrypoint.sh"]

FROM bluejay-stand-in/debian:12 AS redis
RUN install -d -o redis /data

FROM bluejay-stand-in/debian:12 AS store
COPY versitygw /usr/local/bin/
ENTRYPOINT ["versitygw"]
