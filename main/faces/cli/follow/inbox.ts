/** A queue for one reader, which handles one message after the other. */
export interface Inbox<T> {
  push(message: T): void
  next(): Promise<T>
}

export function createInbox<T>(): Inbox<T> {
  const messages: T[] = []
  let waiting: ((message: T) => void) | null = null
  return {
    push: message => {
      if (waiting === null) {
        messages.push(message)
        return
      }
      const take = waiting
      waiting = null
      take(message)
    },
    next: () => {
      const [message] = messages.splice(0, 1)
      if (message !== undefined) return Promise.resolve(message)
      return new Promise(resolve => {
        waiting = resolve
      })
    },
  }
}
