plan -f ./cluster.yaml --release ml/thre
