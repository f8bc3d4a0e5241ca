export const reasonsOfRunners = {}
