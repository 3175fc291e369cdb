# Two images: `docker build --target learn .` opens the course in JupyterLab, `--target grade .` grades submissions.
# docs/hosting.md says what each sandbox needs of the container.
FROM python:3.12-slim AS base
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bubblewrap \
    && rm -rf /var/lib/apt/lists/*
COPY . /opt/foldem
RUN pip install --no-cache-dir --constraint /opt/foldem/constraints.txt /opt/foldem \
    && useradd --create-home --uid 1000 foldem
USER foldem
WORKDIR /home/foldem

FROM base AS grade
# Mount the submissions read-only, and a folder for the reports: docs/hosting.md has the command.
ENTRYPOINT ["foldem"]
CMD ["doctor"]

FROM base AS learn
RUN mkdir -p .jupyter && echo 'c.ServerApp.ip = "0.0.0.0"' > .jupyter/jupyter_server_config.py
EXPOSE 8888
CMD ["foldem", "lab", "work", "--no-browser"]
