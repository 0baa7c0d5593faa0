plan -f ./cluster.yaml --remove-nodes d
