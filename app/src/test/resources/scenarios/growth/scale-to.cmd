plan -f ./cluster.yaml -f ./server.yaml --replicas 2
