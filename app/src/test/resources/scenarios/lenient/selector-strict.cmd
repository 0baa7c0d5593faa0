explain -f ./cluster.yaml claim/large
