import type { OfCluster, TextsOf } from '../steps/coded.ts'

type OfCloud = { readonly cloud: string; readonly file: string }

type OfRule = { readonly rule: string }

/** What somebody can do about what a test of a cluster found. */
export const CLUSTER_TESTS_REMEDIES_REASONS = {
  RemedyAgreeToAddress: ({ cluster, service }: OfCluster & { readonly service: string }) =>
    `If that is your ${service}: \`lockkeeper cluster consent ${cluster}\` once the cluster is added, or name the address in clouds.yaml (${service.replaceAll('-', '_')}_endpoint_override).`,
  RemedyAgreeToCommand: ({ cluster }: OfCluster) =>
    `Look at the command and agree to it with \`lockkeeper cluster consent ${cluster}\`.`,
  RemedyAgreeToCommandFirst: () => 'Look at the command and agree to it, then try again.',
  RemedyAllowAccessReviews: () => 'Every user may usually ask what it may do; allow it again.',
  RemedyAllowRule: ({ need, rule }: OfRule & { readonly need: string }) =>
    `If a run fails when it is to ${need}, have the rule ${rule} allow it.`,
  RemedyApplyManifest: () =>
    'Apply the manifest at the end of this test, or resources/rbac/lockkeeper-operator.yaml, with an account that may.',
  RemedyChooseContext: () => 'Correct it there, or choose another context.',
  RemedyCorrectCatalogue: () =>
    'Correct region_name and interface in clouds.yaml, or have the endpoint added to the catalogue.',
  RemedyCorrectCloudCredentials: ({ cloud, file }: OfCloud) =>
    `Correct the credentials of cloud ${cloud} in ${file} or its secure.yaml.`,
  RemedyCorrectCloudsFile: () => 'Correct the file, then test again.',
  RemedyCorrectJujuAccount: () => 'Correct what it names, then test again.',
  RemedyCorrectKubeconfig: () => 'Correct the kubeconfig, then test again.',
  RemedyEnableWatcher: ({ cluster }: OfCluster) =>
    `Enable Watcher, or \`lockkeeper cluster set ${cluster} --strategy nova\`.`,
  RemedyLookAtJujuStatus: () =>
    'Look at `juju status`: what these machines are told waits until their agents are back.',
  RemedyLookAtPods: () => 'Look at the pods of a plan yourself before you confirm it.',
  RemedyLookAtWatcher: () => 'Is watcher-api running?',
  RemedyNameCertificateAuthority: () => 'Name the certificate authority with cacert, and use an https auth_url.',
  RemedyNameJuju: ({ cluster }: OfCluster) => `Name it: \`lockkeeper cluster set ${cluster} --help\`.`,
  RemedyNameJujuModel: () =>
    "Name the model of the machines in this cluster's settings, or say how else its Ceph is asked.",
  RemedyNameProject: () => 'Name a project in clouds.yaml: project_name instead of system_scope or domain_name.',
  RemedyNewerKubernetes: ({ oldestMinor }: { readonly oldestMinor: number }) =>
    `Lockkeeper is tested with Kubernetes 1.${oldestMinor} and newer: try it on a node that matters little first.`,
  RemedyNewerNova: ({ neededMinor }: { readonly neededMinor: number }) =>
    `Nova must speak microversion 2.${neededMinor} or newer (Pike, 2017); see the message.`,
  RemedyNovaTooOld: () => 'This cloud is too old for Lockkeeper, or clouds.yaml limits the version.',
  RemedyReachApiServer: ({ host }: { readonly host: string }) =>
    `Check that ${host} can be reached from here and that the credentials are still good.`,
  RemedyReachJuju: () => 'The message says what was tried, then test again.',
  RemedyReachKeystone: () => 'Check that Keystone can be reached from here; the message says what was tried.',
  RemedyRegisterAgain: ({ cluster }: OfCluster) =>
    `Correct it there, or add the cluster again with \`lockkeeper cluster remove ${cluster}\` and \`lockkeeper cluster add\`.`,
  RemedyRenewCloudLogin: () => 'Renew the credentials in clouds.yaml, then test again.',
  RemedyRenewKubeconfig: () => 'Renew the credentials in the kubeconfig, then test again.',
  RemedySetTime: () => 'Let both follow the same time server (NTP): leases and timelines depend on it.',
  RemedyTestAgain: () => 'Fix the cause in the message, then test again.',
  RemedyTestAgainAfterwards: () => 'Then test again.',
  RemedyTestEvictionAgain: () => 'Fix the cause in the message, then test again: draining needs this.',
  RemedyUseAdmin: () => 'Use credentials with the role admin, or see below what the policy of this cloud allows.',
  RemedyUseCertificateAuthority: () =>
    'Put the certificate authority of the cluster into the kubeconfig instead of insecure-skip-tls-verify.',
  RemedyUseHttps: () => 'Use an https address of the API server.',
  RemedyWidenRule: ({ rule }: OfRule) => `Use credentials with the needed role, or have the rule ${rule} widened.`,
} satisfies TextsOf<string>
