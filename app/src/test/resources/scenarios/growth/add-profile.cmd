plan -f ./cluster.yaml -f ./server.yaml --replicas 14 --add-nodes small=1 --add-nodes profile:h100x8=4
