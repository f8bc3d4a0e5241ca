/** The same three names for machines, Kubernetes nodes, Nova hosts and Ceph hosts. */
export const SUNBEAM_NODES = ['sun-1', 'sun-2', 'sun-3'] as const

/** The optional storage-only machine outside Kubernetes. */
export const STORAGE_ONLY = 'sun-5'

/** The namespace into which Juju bootstraps its controller (`controller-<name>`). */
export const JUJU_CONTROLLER = 'sunbeam-controller'
export const JUJU_NAMESPACE = `controller-${JUJU_CONTROLLER}`
