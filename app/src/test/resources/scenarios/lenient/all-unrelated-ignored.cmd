explain -f ./cluster.yaml claim/every --ignore-unrelated-pools
