/** Where most safety lines are. */
export const STEPS = 'main/procedures/steps'
export const KUBERNETES = 'main/adapters/kubernetes'
export const OPENSTACK = 'main/adapters/openstack'
export const ENGINE = 'main/runs/engine'
