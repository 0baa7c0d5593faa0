plan -f ./cluster.yaml --for 2
