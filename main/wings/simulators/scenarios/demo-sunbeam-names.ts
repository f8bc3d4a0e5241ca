/** Machines, Kubernetes nodes, Nova hosts and Ceph hosts are the same three, by the same names. */
export const SUNBEAM_NODES = ['sun-1', 'sun-2', 'sun-3'] as const

/** Its storage-only machine outside of Kubernetes, where it has one. */
export const STORAGE_ONLY = 'sun-5'

/** Where Juju bootstraps a controller into Kubernetes (`controller-<name>`). */
export const JUJU_CONTROLLER = 'sunbeam-controller'
export const JUJU_NAMESPACE = `controller-${JUJU_CONTROLLER}`
