plan -f ./ --replicas 2 -o json
