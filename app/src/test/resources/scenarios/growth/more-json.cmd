plan -f ./cluster.yaml -f ./server.yaml --more 1 --add-nodes small=2,profile:h100x8=1 -o json
