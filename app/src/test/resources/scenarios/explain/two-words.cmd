explain -f ./pod.yaml -f ./node.yaml pods train -o yaml
