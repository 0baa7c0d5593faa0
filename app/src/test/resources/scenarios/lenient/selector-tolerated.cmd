explain -f ./cluster.yaml claim/large --tolerate-selector-errors
