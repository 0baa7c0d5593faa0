plan -f ./ --replicas 1 -o yaml
