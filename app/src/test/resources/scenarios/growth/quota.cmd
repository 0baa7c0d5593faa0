plan -f ./cluster.yaml -f ./quota.yaml -f ./server.yaml --more 3
