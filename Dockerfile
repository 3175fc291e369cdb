# Two images: `docker build --target learn .` opens the course in JupyterLab, `--target grade .` grades submissions.
# docs/hosting.md says what each sandbox needs of the container.
FROM python:3.12-slim AS base
RUN useradd --create-home --uid 1000 foldem
WORKDIR /home/foldem

FROM base AS foldem
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bubblewrap \
    && rm -rf /var/lib/apt/lists/*
COPY . /opt/foldem
RUN pip install --no-cache-dir --constraint /opt/foldem/constraints.txt /opt/foldem/packages/course /opt/foldem

FROM foldem AS grade
USER foldem
# docs/hosting.md shows how to grade with this image where there is no sandbox.
ENTRYPOINT ["foldem"]
CMD ["doctor"]

FROM foldem AS kit
RUN pip install --no-cache-dir --constraint /opt/foldem/constraints.txt hatchling && foldem student-kit /kit

# What students use contains no solutions.
FROM base AS learn
COPY --from=kit /kit /kit
COPY constraints.txt /kit/
RUN pip install --no-cache-dir --constraint /kit/constraints.txt jupyterlab /kit/*.whl
USER foldem
RUN mkdir work && cp /kit/*.ipynb work && foldem-course work
EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "--ServerApp.root_dir=work", "--LabApp.default_url=/lab/tree/start.ipynb"]
