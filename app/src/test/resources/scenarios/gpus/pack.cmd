plan -f ./ --replicas 6 --policy pack
