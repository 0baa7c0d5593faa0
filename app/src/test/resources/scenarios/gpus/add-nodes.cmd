plan -f ./ --replicas 12 --add-nodes node-1=10
