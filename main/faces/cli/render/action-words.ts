export function fateText(fate: 'evict' | 'delete' | 'keep' | 'block'): string {
  switch (fate) {
    case 'evict':
      return 'evicted'
    case 'delete':
      return 'deleted'
    case 'keep':
      return 'stays'
    case 'block':
      return 'blocked'
  }
}
