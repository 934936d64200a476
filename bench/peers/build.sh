#!/bin/sh
# build.sh spin|rumur N S Q R FOLDER: makes the peer's checker of the reference model at one size,
# FOLDER/spin or FOLDER/rumur. Both store every state exactly and use no reduction, so that what
# they count is the whole state graph.
set -e
peer=$1 n=$2 s=$3 q=$4 r=$5
here=$(readlink -f -- "$0") && here=${here%/*}
mkdir -p "$6"
cd "$6"
case $peer in
  spin)
    # -w: GCC warns about the code that SPIN generates.
    spin -a "-DN=$n" "-DS=$s" "-DQ=$q" "-DR=$r" -DORPHAN=0 "$here/txpath.pml"
    cc -O3 -w -DSAFETY -DNOREDUCE -DBFS -DMEMLIM=16384 -o spin pan.c
    ;;
  rumur)
    "$here/mk_murphi.sh" "$n" "$s" "$q" "$r" 0 range noinv >model.m
    rumur --symmetry-reduction off model.m --output model.c
    cc -O3 -march=native -std=c11 -w -o rumur model.c -lpthread
    ;;
  *)
    echo "usage: build.sh spin|rumur N S Q R FOLDER" >&2
    exit 2
    ;;
esac
