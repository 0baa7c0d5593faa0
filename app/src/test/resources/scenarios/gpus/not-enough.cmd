plan -f ./ --replicas 12 --add-nodes control=3
