export function fateText(fate: 'evict' | 'delete' | 'keep' | 'block'): string {
  switch (fate) {
    case 'evict':
      return 'evict'
    case 'delete':
      return 'delete'
    case 'keep':
      return 'stays'
    case 'block':
      return 'blocks'
  }
}
