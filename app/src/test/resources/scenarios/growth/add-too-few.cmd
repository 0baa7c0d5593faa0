plan -f ./cluster.yaml -f ./server.yaml --replicas 14 --add-nodes small=1,profile:h100x8=1
