inventory -f ./cluster.yaml --node node-2 -o json
