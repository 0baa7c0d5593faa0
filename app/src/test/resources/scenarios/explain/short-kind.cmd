explain -f ./pod.yaml -f ./node.yaml po/train
