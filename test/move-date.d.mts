export function moveDate(seconds: number): void
