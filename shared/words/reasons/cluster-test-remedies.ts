import type { OfCluster, TextsOf } from '../steps/coded.ts'

type OfCloud = { readonly cloud: string; readonly file: string }

type OfRule = { readonly rule: string }

/** Remedies for the findings of a test of a cloud. */
export const CLUSTER_TESTS_REMEDIES_REASONS = {
  RemedyAgreeToAddress: ({ cluster, service }: OfCluster & { readonly service: string }) =>
    `If that is your ${service}: \`lockkeeper cluster consent ${cluster}\` once the cloud is added, or name the address in clouds.yaml (${service.replaceAll('-', '_')}_endpoint_override).`,
  RemedyAgreeToCommand: ({ cluster }: OfCluster) =>
    `Check the command and agree to it with \`lockkeeper cluster consent ${cluster}\`.`,
  RemedyAgreeToCommandFirst: () => 'Check the command and agree to it, then try again.',
  RemedyAllowAccessReviews: () => 'Users may usually ask for their own permissions; allow it again.',
  RemedyAllowRule: ({ need, rule }: OfRule & { readonly need: string }) =>
    `If a run fails to ${need}, let the rule ${rule} allow it.`,
  RemedyApplyManifest: () =>
    'Apply the manifest at the end of this test, or resources/rbac/lockkeeper-operator.yaml, with an account that may.',
  RemedyChooseContext: () => 'Correct it there, or choose another context.',
  RemedyCorrectCatalogue: () =>
    'Correct region_name and interface in clouds.yaml, or add the endpoint to the catalogue.',
  RemedyCorrectCloudCredentials: ({ cloud, file }: OfCloud) =>
    `Correct the credentials of cloud ${cloud} in ${file} or its secure.yaml.`,
  RemedyCorrectCloudsFile: () => 'Correct the file, then test again.',
  RemedyCorrectJujuAccount: () => 'Correct the account in the message, then test again.',
  RemedyCorrectKubeconfig: () => 'Correct the kubeconfig, then test again.',
  RemedyEnableWatcher: ({ cluster }: OfCluster) =>
    `Enable Watcher, or \`lockkeeper cluster set ${cluster} --strategy nova\`.`,
  RemedyLookAtJujuStatus: () => 'Check `juju status`: requests to these machines wait until their agents are back.',
  RemedyLookAtPods: () => 'Check the pods of a plan yourself before you confirm it.',
  RemedyLookAtWatcher: () => 'Is watcher-api running?',
  RemedyNameCertificateAuthority: () => 'Name the certificate authority with cacert, and use an https auth_url.',
  RemedyNameJuju: ({ cluster }: OfCluster) => `Name it: \`lockkeeper cluster set ${cluster} --help\`.`,
  RemedyNameJujuModel: () =>
    "Name the model of the machines in this cloud's settings, or say how else to ask its Ceph.",
  RemedyNameProject: () => 'Name a project in clouds.yaml: project_name instead of system_scope or domain_name.',
  RemedyNewerKubernetes: ({ oldestMinor }: { readonly oldestMinor: number }) =>
    `Lockkeeper is tested with Kubernetes 1.${oldestMinor} and newer: try it on an unimportant node first.`,
  RemedyNewerNova: ({ neededMinor }: { readonly neededMinor: number }) =>
    `Lockkeeper needs Nova with microversion 2.${neededMinor} or newer (Pike, 2017); see the message.`,
  RemedyNovaTooOld: () => 'This cloud is too old for Lockkeeper, or clouds.yaml limits the version.',
  RemedyReachApiServer: ({ host }: { readonly host: string }) =>
    `Check that this machine can reach ${host} and that the credentials are still valid.`,
  RemedyReachJuju: () => 'The message shows what Lockkeeper tried. Fix it, then test again.',
  RemedyReachKeystone: () => 'Check that this machine can reach Keystone; the message shows what Lockkeeper tried.',
  RemedyRegisterAgain: ({ cluster }: OfCluster) =>
    `Correct it there, or add the cloud again with \`lockkeeper cluster remove ${cluster}\` and \`lockkeeper cluster add\`.`,
  RemedyRenewCloudLogin: () => 'Renew the credentials in clouds.yaml, then test again.',
  RemedyRenewKubeconfig: () => 'Renew the credentials in the kubeconfig, then test again.',
  RemedySetTime: () => 'Let both use the same time server (NTP): leases and timelines depend on it.',
  RemedyTestAgain: () => 'Fix the cause in the message, then test again.',
  RemedyTestAgainAfterwards: () => 'Then test again.',
  RemedyTestEvictionAgain: () => 'Fix the cause in the message, then test again: a drain needs this.',
  RemedyUseAdmin: () => 'Use credentials with the role admin, or see below what the policy of this cloud allows.',
  RemedyUseCertificateAuthority: () =>
    'Put the certificate authority of the cluster into the kubeconfig instead of insecure-skip-tls-verify.',
  RemedyUseHttps: () => 'Use an https address of the API server.',
  RemedyWidenRule: ({ rule }: OfRule) => `Use credentials with the needed role, or widen the rule ${rule}.`,
} satisfies TextsOf<string>
