// SPDX-License-Identifier: MIT
// The panel of the heat gun: how much heat it brings, to how much of a body, and what it is held on.
import { element } from '../../dom';
import { quantityText } from '../../number_text';
import type { SceneMessage } from '../../protocol';
import { Slider } from '../../slider';

export class WarmPanel {
  readonly element: HTMLElement;
  private readonly place = element('div');
  private readonly aim = element('p', { class: 'readout', role: 'status' });
  private heat: Slider;
  private size: Slider;

  /// `onChange` is called when a slider has moved, maybe while the gun is held.
  constructor(private readonly onChange: () => void) {
    this.element = element('div', {}, this.place, this.aim);
    [this.heat, this.size] = this.sliders(0.03, 3);
    this.showIdle();
  }

  get power(): number { return this.heat.value; }
  get radius(): number { return this.size.value; }

  /// A ball that suits the scene: enough particles to flow when they melt, warmed as fast as one can watch.
  fit(scene: SceneMessage): void { [this.heat, this.size] = this.sliders(4 * scene.spacing, scene.dimension); }

  showIdle(): void { this.aim.textContent = 'Hold it on a body: heat flows in the whole scene from then on. “Colour by” shows the temperature.'; }

  showAim(body: string | null): void {
    this.aim.textContent = `${quantityText(this.power, 'W')} ${body === null ? 'into the air' : `into the ${body}`}.`;
  }

  private sliders(radius: number, dimension: number): [Slider, Slider] {
    const [size, power] = [Number(radius.toPrecision(2)), Number(usualPower(radius, dimension).toPrecision(2))];
    const heat = new Slider({ label: 'Power', unit: 'W', value: power, low: power / 100, high: power * 100, min: 0, max: 1e12, logarithmic: true }, this.onChange);
    const ball = new Slider({ label: 'Radius', unit: 'm', value: size, low: size / 10, high: size * 10, min: 1e-6, max: 1e6, logarithmic: true }, this.onChange);
    this.place.replaceChildren(heat.element, ball.element);
    return [heat, ball];
  }
}

/// What warms a ball of water by so much in a second [W]; in the plane a disc, of which there is a metre across it.
function usualPower(radius: number, dimension: number): number {
  const heating = 50; // [K/s]
  const water = 4.2e6; // heat that warms a volume [J/(m³ K)]
  return heating * water * (dimension === 2 ? Math.PI * radius ** 2 : (4 / 3) * Math.PI * radius ** 3);
}
