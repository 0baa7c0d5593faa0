explain -f ./cluster.yaml claim/every
