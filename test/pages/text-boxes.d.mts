export function faultsOfTexts(): string[]
