plan -f ./cluster.yaml --remove-nodes a,c
