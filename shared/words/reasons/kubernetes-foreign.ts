import { type Names, someNames, type TextsOf } from '../steps/coded.ts'

/** Texts of kinds of objects that somebody else defines. */
export const KUBERNETES_FOREIGN_REASONS = {
  DeploymentStatusNotServed: ({ host }: { readonly host: string }) =>
    `${host} serves OpenStackDeployments, and no OpenStackDeploymentStatus: whether OpenStack is healthy is not known. Look at \`kubectl get crd | grep lcm.mirantis.com\`.`,
  DeploymentStatusMissing: ({ host, namespace }: { readonly host: string; readonly namespace: string }) =>
    `${host} serves OpenStackDeploymentStatus, and ${namespace} has no such object: whether OpenStack is healthy is not known. Look at \`kubectl get osdpl,osdplst -A\`.`,
  ForeignVersionUnknown: ({ group, versions }: { readonly group: string; readonly versions: Names }) =>
    `${group} is served in versions that Lockkeeper does not know (${someNames(versions)}): what its objects ask for is not known. Look at them with kubectl.`,
} satisfies TextsOf<string>
