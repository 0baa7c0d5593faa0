plan -f ./cluster.yaml -f ./server.yaml --more 2
