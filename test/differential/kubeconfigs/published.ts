import type { KubeconfigSituation } from '../situations.ts'
import { raw } from './config.ts'

const KUBELOGIN = `#!/bin/sh
printf '{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","spec":{"interactive":false},"status":{"expirationTimestamp":"2099-01-01T00:00:00Z","token":"tok-login"}}'
`
const PLUGIN = { 'bin/login.sh': KUBELOGIN }
const IN_PATH = { files: PLUGIN, environment: { PATH: '{{folder}}/bin:/usr/bin:/bin' } }

/** Kubeconfigs as tools write them, with invented names. */
export const PUBLISHED: readonly KubeconfigSituation[] = [
  raw(
    'as kubeadm writes it',
    `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: {{root64}}
    server: https://{{https}}
  name: kubernetes
contexts:
- context:
    cluster: kubernetes
    user: kubernetes-admin
  name: kubernetes-admin@kubernetes
current-context: kubernetes-admin@kubernetes
kind: Config
preferences: {}
users:
- name: kubernetes-admin
  user:
    client-certificate-data: {{client64}}
    client-key-data: {{client-key64}}
`,
  ),
  raw(
    'as minikube writes it',
    `apiVersion: v1
clusters:
- cluster:
    certificate-authority: ca.crt
    extensions:
    - extension:
        last-update: Mon, 06 Jan 2025 09:00:00 CET
        provider: minikube.sigs.k8s.io
        version: v1.34.0
      name: cluster_info
    server: https://{{https}}
  name: minikube
contexts:
- context:
    cluster: minikube
    extensions:
    - extension:
        provider: minikube.sigs.k8s.io
      name: context_info
    namespace: default
    user: minikube
  name: minikube
current-context: minikube
kind: Config
preferences: {}
users:
- name: minikube
  user:
    client-certificate: client.crt
    client-key: client.key
`,
    { files: { 'ca.crt': '{{root}}', 'client.crt': '{{client}}', 'client.key': '{{client-key}}' } },
  ),
  raw(
    'as a cloud writes it, with a command by its name',
    `apiVersion: v1
clusters:
- cluster: {certificate-authority-data: {{root64}}, server: "https://{{https}}"}
  name: arn:cloud:k8s:region-1:1234:cluster/ops
contexts:
- context: {cluster: "arn:cloud:k8s:region-1:1234:cluster/ops", user: "arn:cloud:k8s:region-1:1234:cluster/ops"}
  name: arn:cloud:k8s:region-1:1234:cluster/ops
current-context: arn:cloud:k8s:region-1:1234:cluster/ops
kind: Config
users:
- name: arn:cloud:k8s:region-1:1234:cluster/ops
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      args: [--region, region-1, eks, get-token, --cluster-name, ops, --output, json]
      command: login.sh
      env:
      - {name: PROFILE, value: ops}
      interactiveMode: IfAvailable
      provideClusterInfo: false
`,
    IN_PATH,
  ),
  raw(
    'as a cloud writes it, with a command, an install hint and nulls',
    `apiVersion: v1
kind: Config
clusters:
- name: gke
  cluster: {certificate-authority-data: {{root64}}, server: "https://{{https}}"}
contexts:
- name: gke
  context: {cluster: gke, user: gke}
current-context: gke
preferences: {}
users:
- name: gke
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: login.sh
      args: null
      env: null
      installHint: Install the plugin for use with kubectl by following
        https://example.test/docs
      provideClusterInfo: true
`,
    IN_PATH,
  ),
  raw(
    'as Rancher writes it',
    `apiVersion: v1
kind: Config
clusters:
- name: "ops"
  cluster:
    server: "https://{{https}}/k8s/clusters/c-m-abcdefgh"
    certificate-authority-data: "{{root64}}"
users:
- name: "ops"
  user:
    token: "kubeconfig-user-abcde12345:invented0token"
contexts:
- name: "ops"
  context:
    user: "ops"
    cluster: "ops"
current-context: "ops"
`,
  ),
  raw(
    'as Rancher writes it, with its certificate over several lines',
    `apiVersion: v1
kind: Config
clusters:
- name: "ops"
  cluster:
    server: "https://{{https}}/k8s/clusters/c-m-abcdefgh"
    certificate-authority-data: "{{root64-continued}}"
users:
- name: "ops"
  user:
    token: "kubeconfig-user-abcde12345:invented0token"
contexts:
- name: "ops"
  context: {user: "ops", cluster: "ops"}
current-context: "ops"
`,
  ),
  raw(
    'as k3s writes it, with default for every name',
    `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: {{root64}}
    server: https://{{https}}
  name: default
contexts:
- context:
    cluster: default
    user: default
  name: default
current-context: default
kind: Config
preferences: {}
users:
- name: default
  user:
    client-certificate-data: {{client64}}
    client-key-data: {{client-key64}}
`,
  ),
  raw(
    'as oc writes it, with names of addresses',
    `apiVersion: v1
clusters:
- cluster:
    server: https://{{https}}
    insecure-skip-tls-verify: true
  name: 127-0-0-1:6443
contexts:
- context:
    cluster: 127-0-0-1:6443
    namespace: openstack
    user: admin/127-0-0-1:6443
  name: openstack/127-0-0-1:6443/admin
current-context: openstack/127-0-0-1:6443/admin
kind: Config
preferences: {}
users:
- name: admin/127-0-0-1:6443
  user:
    token: sha256~invented_token-1
`,
  ),
  raw(
    'as a ServiceAccount gets it in a script',
    `apiVersion: v1
kind: Config
clusters:
  - name: c
    cluster:
      certificate-authority-data: {{root64}}
      server: https://{{https}}
contexts:
  - name: c
    context:
      cluster: c
      namespace: kube-system
      user: sa
users:
  - name: sa
    user:
      token: eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzYSJ9.aW52ZW50ZWQ
current-context: c
`,
  ),
  raw(
    'as an older login wrote it',
    `apiVersion: v1
kind: Config
clusters:
- name: c
  cluster: {certificate-authority-data: {{root64}}, server: "https://{{https}}"}
contexts:
- name: c
  context: {cluster: c, user: oidc}
current-context: c
users:
- name: oidc
  user:
    auth-provider:
      config:
        client-id: kubernetes
        client-secret: invented
        extra-scopes: groups
        id-token: eyJhbGciOiJub25lIn0.eyJleHAiOjQxMDI0NDQ4MDB9.c2lnbmVk
        idp-certificate-authority-data: {{root64}}
        idp-issuer-url: https://{{https}}/dex
        refresh-token: invented
      name: oidc
`,
  ),
  raw(
    'as a proxy of an operator writes it',
    `apiVersion: v1
kind: Config
clusters:
- name: c
  cluster:
    certificate-authority-data: {{root64}}
    proxy-url: http://{{proxy}}
    server: https://{{https}}
    tls-server-name: localhost
contexts:
- name: c
  context: {cluster: c, user: u, namespace: ""}
current-context: c
users:
- name: u
  user: {token: tok-1, as: ops, as-groups: ["system:masters"]}
`,
  ),
  raw(
    'as a template of a chart leaves it',
    `apiVersion: v1
kind: Config
clusters:
- name: c
  cluster: {server: "https://{{https}}", certificate-authority-data: ""}
contexts:
- name: c
  context: {cluster: c, user: u}
current-context: c
users:
- name: u
  user: {token: "", client-certificate-data: "", client-key-data: ""}
`,
  ),
  raw(
    'as a login to another tool writes it',
    `contexts:
- name: deploy.example.test
  server: deploy.example.test
  user: deploy.example.test
current-context: deploy.example.test
servers:
- server: deploy.example.test
users:
- auth-token: invented
  name: deploy.example.test
`,
  ),
  raw(
    'as a webhook of an API server has it',
    `apiVersion: v1
kind: Config
preferences: {}
clusters:
  - name: webhook
    cluster: {insecure-skip-tls-verify: true, server: "https://{{https}}/webhook"}
users: [{name: webhook}]
contexts:
  - name: webhook
    context: {cluster: webhook, user: webhook}
current-context: webhook
`,
  ),
  raw(
    'as in a pod, with another token file',
    `apiVersion: v1
kind: Config
clusters:
- name: local
  cluster: {certificate-authority: ca.crt, server: "https://{{https}}"}
users:
- name: local
  user: {tokenFile: token}
contexts:
- context: {cluster: local, user: local}
`,
    { files: { 'ca.crt': '{{root}}', token: 'tok-pod' } },
  ),
  raw(
    'as a tool for contexts leaves it, with entries for nobody',
    `apiVersion: v1
kind: Config
clusters: []
contexts:
- name: ops
  context: {namespace: openstack}
current-context: ops
users: []
`,
  ),
  raw(
    'as a script writes it, in JSON on one line',
    '{"apiVersion":"v1","kind":"Config","clusters":[{"name":"c","cluster":{"server":"https://{{https}}","certificate-authority-data":"{{root64}}"}}],"users":[{"name":"u","user":{"token":"tok-1"}}],"contexts":[{"name":"x","context":{"cluster":"c","user":"u"}}],"current-context":"x"}',
  ),
]
