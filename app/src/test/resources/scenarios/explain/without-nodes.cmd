explain -f ./pod.yaml pod/train
