import type { DemoCluster } from '../surroundings.ts'
import type { Look } from '../words/look.ts'
import { shellWord } from '../words/shell-word.ts'

/** Where an embedded cloud is reached, with commands that can be copied as they stand. */
export function renderDemoCluster(
  { name, kubeconfigPath, context, cloudsYamlPath, cloud }: DemoCluster,
  look: Look,
): readonly string[] {
  const kubectl = `kubectl --kubeconfig ${shellWord(kubeconfigPath)} --context ${shellWord(context)}`
  const openstack = `OS_CLIENT_CONFIG_FILE=${shellWord(cloudsYamlPath)} openstack --os-cloud ${shellWord(cloud)}`
  return [
    look.palette.strong(name),
    `  kubeconfig   ${kubeconfigPath} (context ${context})`,
    `  clouds.yaml  ${cloudsYamlPath} (cloud ${cloud})`,
    '  try:',
    `    ${kubectl} get nodes`,
    `    ${openstack} compute service list`,
    `    ${openstack} server list --all-projects`,
    `    lockkeeper cluster add ${shellWord(name)} --kubeconfig ${shellWord(kubeconfigPath)} --context ${shellWord(context)} --clouds-yaml ${shellWord(cloudsYamlPath)} --cloud ${shellWord(cloud)}`,
    `    lockkeeper nodes ${shellWord(name)}`,
  ]
}
