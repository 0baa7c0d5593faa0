plan -f ./cluster.yaml -f ./pods.yaml --tolerate-selector-errors
