// SPDX-License-Identifier: MIT
// Numbers as people read them.

/// At most `digits` significant digits, without zeros at the end: 0.533, 1200, 2.5e7.
export function numberText(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa = '', exponent = ''] = value.toExponential(digits - 1).split('e');
    return `${trimmed(mantissa)}e${exponent.replace('+', '')}`;
  }
  return trimmed(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size))))).toString());
}

/// Whole numbers in groups of three: 15 360.
export function countText(value: number): string {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/// With a prefix before the unit: 12.4 mJ, 250 kPa. Units that begin with a number or a prefix already are left as they are.
export function quantityText(value: number, unit: string, digits = 3): string {
  if (!['Pa', 'J', 'N', 'm', 'W', 's'].includes(unit) || value === 0 || !Number.isFinite(value))
    return unit === '' || unit === '1' ? numberText(value, digits) : `${numberText(value, digits)} ${unit}`;
  const steps = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']] as const;
  const large = unit === 'Pa' || unit === 'J' || unit === 'N' || unit === 'W';
  const size = Math.abs(value);
  const [scale, prefix] = steps.find(([step]) => size >= step && (large || step <= 1)) ?? [1e-9, 'n'];
  return `${numberText(value / scale, digits)} ${prefix}${unit}`;
}

/// "youngs_modulus" as people say it.
export function words(name: string): string {
  const known: Record<string, string> = { youngs_modulus: 'Young’s modulus', poisson_ratio: 'Poisson’s ratio' };
  const spoken = known[name] ?? name.replaceAll('_', ' ');
  return spoken.charAt(0).toUpperCase() + spoken.slice(1);
}

/// Units as they are written in books: m/s^2 is m/s², and a plain number has none.
export function unitText(unit: string): string {
  return unit === '1' ? '' : unit.replace('^2', '²').replace('^3', '³');
}

function trimmed(digits: string): string { return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits; }
