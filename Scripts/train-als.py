#!/usr/bin/env python3
"""Trains vectors on exported answers with Spark: train-als.py [options] EXPORT MODEL

EXPORT is a folder that 'cardfeed dataset export' wrote; MODEL is made. The model is implicit
alternating least squares (Hu, Koren and Volinsky, Collaborative Filtering for Implicit Feedback
Datasets, ICDM 2008) as Spark's MLlib has it; the strength of a viewer and an item is the number of
positive answers. Needs Java 17, pyspark and numpy. One machine's cores are used unless --master names
a cluster.
"""
import argparse
import hashlib
import json
import os
import sys

import numpy
import pyspark
from pyspark.ml.recommendation import ALS
from pyspark.sql import SparkSession, functions


def options():
    parser = argparse.ArgumentParser(prog="train-als.py", description=__doc__.split("\n")[0])
    parser.add_argument("export")
    parser.add_argument("model")
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--regularisation", type=float, default=0.05)
    parser.add_argument("--alpha", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--master", default="local[*]")
    return parser.parse_args()


def digest(path):
    sha = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            sha.update(piece)
    return sha.hexdigest()


def write(factors, ids, vectors, rank):
    """The vectors of one side in the order of their numbers."""
    rows = sorted((row.id, row.features) for row in factors.collect())
    numpy.save(ids, numpy.array([number for number, _ in rows], dtype="<i8"))
    matrix = numpy.array([vector for _, vector in rows], dtype="<f4").reshape(len(rows), rank)
    numpy.save(vectors, matrix)
    return len(rows)


def main():
    arguments = options()
    with open(os.path.join(arguments.export, "export.json"), encoding="utf-8") as file:
        export = json.load(file)
    if export.get("format") != "cardfeed-interactions/1":
        sys.exit(f"{arguments.export}: this job reads exports of format cardfeed-interactions/1")
    table = os.path.join(arguments.export, export["file"])
    if digest(table) != export["sha256"]:
        sys.exit(f"{table}: the checksum is not that of export.json; export again")
    builder = (
        SparkSession.builder.master(arguments.master).appName("CardFeed ALS")
        .config("spark.ui.enabled", "false"))
    if arguments.master.startswith("local"):
        # Nobody else has to reach it.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = (
            builder.config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1"))
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    parquet = os.path.splitext(table)[0] + ".parquet"
    if os.path.exists(parquet):
        answers = spark.read.parquet(parquet)
    else:
        answers = spark.read.csv(
            table, header=True,
            schema="viewer long, item long, answer string, meaning int, time long")
    strengths = (
        answers.where("meaning = 1").groupBy("viewer", "item")
        .agg(functions.count("*").cast("float").alias("strength")))
    greatest = strengths.agg(functions.max("viewer"), functions.max("item")).first()
    if greatest[0] is None:
        sys.exit(f"{table}: there is no positive answer to learn from")
    if max(greatest) > 2**31 - 1:
        sys.exit(f"{table}: Spark's ALS takes numbers below 2^31; found {max(greatest)}")
    als = ALS(
        rank=arguments.rank, maxIter=arguments.iterations, regParam=arguments.regularisation,
        alpha=arguments.alpha, implicitPrefs=True, seed=arguments.seed, userCol="viewer",
        itemCol="item", ratingCol="strength", coldStartStrategy="drop")
    # In a fixed order and in as many parts as ALS has blocks, so that equal exports give equal models.
    model = als.fit(strengths.orderBy("viewer", "item").coalesce(1))
    os.makedirs(arguments.model)
    path = {
        name: os.path.join(arguments.model, name)
        for name in ("ids.npy", "vec.npy", "viewer_ids.npy", "viewer_vec.npy")
    }
    items = write(model.itemFactors, path["ids.npy"], path["vec.npy"], arguments.rank)
    viewers = write(
        model.userFactors, path["viewer_ids.npy"], path["viewer_vec.npy"], arguments.rank)
    settings = (
        f"rank {arguments.rank}, {arguments.iterations} iterations, regularisation "
        f"{arguments.regularisation}, alpha {arguments.alpha}, seed {arguments.seed}")
    manifest = {
        "format": "cardfeed-vectors/1",
        "export": {key: export[key] for key in ("deck", "position", "answers", "sha256")},
        "dimension": arguments.rank,
        "trainer": f"pyspark {pyspark.__version__} ALS, {settings}",
        "files": {name: digest(file) for name, file in path.items()},
    }
    with open(os.path.join(arguments.model, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=1)
        file.write("\n")
    spark.stop()
    print(f"{items} items, {viewers} viewers, {settings}")


main()
