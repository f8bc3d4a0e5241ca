import type { DemoTrouble } from '../../../../shared/domain/demo-troubles.ts'
import type { JujuAccess } from '../../../../shared/domain/role-maintenance.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import { TROUBLE_TITLES, troubleSentence, troubleTry } from '../../../../shared/words/demo-troubles.ts'
import type { DemoCluster } from '../process-io.ts'
import type { Look } from '../words/look.ts'

/** How to reach a demo cloud, with commands to copy. */
export function renderDemoCluster(
  { name, kubeconfigPath, context, cloudsYamlPath, cloud, flavour, updatePlan, roleMaintenance }: DemoCluster,
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
    `    lockkeeper cluster add ${shellWord(name)} --kubeconfig ${shellWord(kubeconfigPath)} --context ${shellWord(context)} --clouds-yaml ${shellWord(cloudsYamlPath)} --cloud ${shellWord(cloud)}${flavour === undefined || flavour === 'plain' ? '' : ` --flavour ${flavour}`}${jujuFlags(roleMaintenance?.juju ?? null)}`,
    `    lockkeeper nodes ${shellWord(name)}`,
    ...(flavour === 'mosk' ? maintenanceLines(kubectl, updatePlan ?? null) : []),
  ]
}

/** A trouble that is on, and how to meet it. */
export function renderTrouble(trouble: DemoTrouble, look: Look): readonly string[] {
  const way = troubleTry(trouble)
  return [
    `${look.palette.strong(TROUBLE_TITLES[trouble.name])}: ${troubleSentence(trouble)}${way === null ? '' : ` To meet it: ${way}.`}`,
  ]
}

function jujuFlags(juju: JujuAccess | null): string {
  if (juju?.kind !== 'client-files') return ''
  const { directory, controller, model } = juju
  return ` --juju-directory ${shellWord(directory)} --juju-controller ${shellWord(controller)} --juju-model ${shellWord(model)}`
}

function maintenanceLines(kubectl: string, updatePlan: string | null): readonly string[] {
  const commence = '[{"op":"replace","path":"/spec/steps/0/commence","value":true}]'
  return [
    `    ${kubectl} get cmr,cwl,nmr,nwl`,
    ...(updatePlan === null
      ? []
      : [
          "  start the first step of its LCM's update (steps/1 and so on for the next ones):",
          `    ${kubectl} -n default patch ${shellWord(updatePlan)} --type json -p ${shellWord(commence)}`,
        ]),
  ]
}
