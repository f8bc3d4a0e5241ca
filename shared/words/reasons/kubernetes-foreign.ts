import { type Names, someNames, type TextsOf } from '../steps/coded.ts'

/** Doubts about objects that other programs define. */
export const KUBERNETES_FOREIGN_REASONS = {
  DeploymentStatusNotServed: ({ host }: { readonly host: string }) =>
    `${host} serves OpenStackDeployments but no OpenStackDeploymentStatus, so Lockkeeper cannot tell whether OpenStack is healthy. Check \`kubectl get crd | grep lcm.mirantis.com\`.`,
  DeploymentStatusMissing: ({ host, namespace }: { readonly host: string; readonly namespace: string }) =>
    `${host} serves OpenStackDeploymentStatus, but ${namespace} has no such object, so Lockkeeper cannot tell whether OpenStack is healthy. Check \`kubectl get osdpl,osdplst -A\`.`,
  ForeignVersionUnknown: ({ group, versions }: { readonly group: string; readonly versions: Names }) =>
    `Lockkeeper does not know the served versions of ${group} (${someNames(versions)}) and cannot read its objects. Check them with kubectl.`,
} satisfies TextsOf<string>
