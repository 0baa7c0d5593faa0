plan -f ./cluster.yaml -f ./server.yaml
