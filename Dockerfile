# Two images: `docker build --target learn .` opens the course in JupyterLab, `--target grade .` grades submissions.
# docs/hosting.md says what each sandbox needs of the container.
FROM python:3.12-slim AS base
# What pip installs: the folder that is built, or a release by its name (--build-arg FOLDEM=foldem==0.1.0).
ARG FOLDEM=/opt/foldem
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bubblewrap \
    && rm -rf /var/lib/apt/lists/*
COPY . /opt/foldem
RUN pip install --no-cache-dir --constraint /opt/foldem/constraints.txt "$FOLDEM" \
    && useradd --create-home --uid 1000 foldem
USER foldem
WORKDIR /home/foldem

FROM base AS grade
# `foldem grade` runs this image where it finds no sandbox: docs/hosting.md.
ENTRYPOINT ["foldem"]
CMD ["doctor"]

FROM base AS learn
RUN mkdir -p .jupyter && echo 'c.ServerApp.ip = "0.0.0.0"' > .jupyter/jupyter_server_config.py
EXPOSE 8888
CMD ["foldem", "lab", "work", "--no-browser"]
