import { deflateSync } from 'node:zlib';
import { rawStream } from '../build-pdf.ts';
import { contentPdf, drawing, fill, type GoldenPdf, helvetica, type Objects, pagesPdf, side } from './build-golden.ts';

const form = (content: string, entries = '') =>
  rawStream(`/Type /XObject /Subtype /Form /BBox [0 0 ${side} ${side}] ${entries}`, content);
const image = (entries: string, bytes: Uint8Array | string) =>
  rawStream(`/Type /XObject /Subtype /Image /BitsPerComponent 8 ${entries}`, bytes);
const tint = (to: string, ofInputs = 1) =>
  `<< /FunctionType 2 /Domain [${'0 1 '.repeat(ofInputs)}] /C0 [0 0 0 0] /C1 [${to}] /N 1 >>`;
const drawImage = `q ${side} 0 0 ${side} 0 0 cm /I1 Do Q`;

function row(name: string, content: string, resources?: string, objects?: Objects): GoldenPdf {
  return { name, bytes: contentPdf(content, resources, objects), pages: 1 };
}

const colours: GoldenPdf[] = [
  row('CMYK colours', [0, 50, 100, 150].map((x, i) => fill(x, 0, 50, 150, cmyk(i))).join('\n')),
  row('white text on white', `${drawing()} 1 g BT /F1 40 Tf 10 140 Td (Hidden) Tj ET`),
  row(
    'spot colours, one of them named JS',
    '/Cs1 cs 1 scn 0 0 100 200 re f /Cs2 cs 0.5 1 scn 100 0 100 120 re f',
    '/ColorSpace << /Cs1 [/Separation /JS /DeviceCMYK 10 0 R] /Cs2 11 0 R >>',
    {
      10: tint('0 0.6 1 0'),
      11: '[/DeviceN [/JS /Action] /DeviceCMYK 12 0 R << /Colorants << /JS [/Separation /JS /DeviceCMYK 10 0 R] >> >>]',
      12: rawStream('/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]', '{ 0 0 }'),
    },
  ),
  row(
    'a default colour space, and a profile',
    `${fill(0, 0, 100, 150, '1 0 0 rg')} /Cs1 cs 50 60 -40 scn 100 0 100 100 re f`,
    '/ColorSpace << /DefaultRGB [/CalRGB << /WhitePoint [0.95 1 1.09] /Gamma [0.4 0.4 0.4] >>] /Cs1 [/Lab << /WhitePoint [0.95 1 1.09] >>] >>',
  ),
  row(
    'shadings and a tiling pattern',
    '/Sh1 sh /Pattern cs /P1 scn 0 0 120 200 re f /P2 scn 120 0 60 90 re f',
    '/Shading << /Sh1 10 0 R >> /Pattern << /P1 11 0 R /P2 << /PatternType 2 /Shading 12 0 R >> >>',
    {
      10: '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 200 200] /Function 13 0 R >>',
      11: rawStream(
        '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 40 40] /XStep 40 /YStep 40 /Resources << >>',
        fill(0, 0, 25, 25),
      ),
      12: '<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [150 45 0 150 45 45] /Function 13 0 R >>',
      13: '<< /FunctionType 2 /Domain [0 1] /C0 [1 1 0] /C1 [0 0 1] /N 1 >>',
    },
  ),
];

function cmyk(index: number): string {
  return `${[0, 1, 2, 3].map((channel) => (channel === index ? 1 : 0.1)).join(' ')} k`;
}

const fonts: GoldenPdf[] = [
  row(
    'a font of drawn glyphs, named JS with a glyph named AA',
    'BT /JS 60 Tf 10 100 Td (abba) Tj ET BT /F#20x 30 Tf 10 30 Td (Dear) Tj ET',
    '/Font << /JS 10 0 R /F#20#78 3 0 R >>',
    {
      10: [
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [0.001 0 0 0.001 0 0]',
        '/FirstChar 97 /LastChar 98 /Widths [800 600] /Encoding << /Differences [97 /AA /Launch] >>',
        '/CharProcs << /AA 11 0 R /Launch 12 0 R >> /Resources << /XObject << /Action 13 0 R >> >> >>',
      ].join(' '),
      11: rawStream('', '800 0 0 0 750 750 d1 0 0 750 500 re f'),
      12: rawStream('', '600 0 d0 /Action Do'),
      13: form(fill(0, 0, 300, 700, '0.4 g'))
        .toString('latin1')
        .replace(`${side} ${side}]`, '500 750]'),
    },
  ),
  row(
    'text modes, word space and clipping by text',
    'q BT /F1 60 Tf 7 Tr 10 120 Td (Dear) Tj ET 0 0 200 200 re f Q BT 1 Tr 2 w /F1 40 Tf 20 Tc 10 40 Td (abc) Tj ET',
  ),
];

const seeThrough: GoldenPdf[] = [
  row(
    'a transparency group with a blend mode and a soft mask',
    `${drawing()} /G1 gs /Group Do /G2 gs ${fill(0, 0, side, side, '1 0 0 rg')}`,
    `${helvetica} /XObject << /Group 10 0 R >> /ExtGState << /G1 << /BM /Multiply /ca 0.7 >> /G2 11 0 R >>`,
    {
      10: form(
        `${fill(20, 20, 120, 120, '0 0.5 1 rg')} ${fill(60, 60, 120, 120, '1 0.5 0 rg')}`,
        '/Group << /S /Transparency /I true /K true /CS /DeviceRGB >> /Resources << >>',
      ),
      11: '<< /Type /ExtGState /BM /Normal /ca 1 /SMask << /Type /Mask /S /Luminosity /G 12 0 R /BC [0] >> >>',
      12: form(fill(100, 0, 100, 100, '0.8 g'), '/Group << /S /Transparency /CS /DeviceGray >> /Resources << >>'),
    },
  ),
  {
    name: 'a page that is a transparency group',
    bytes: pagesPdf([
      {
        content: `${drawing()} /G1 gs ${fill(20, 20, 150, 150, '0 1 0 rg')}`,
        resources: `${helvetica} /ExtGState << /G1 << /BM /Difference >> >>`,
        entries: '/Group << /S /Transparency /CS /DeviceRGB /I true >>',
      },
    ]),
    pages: 1,
  },
  row(
    'a form inside a form, without resources of its own',
    '0.8 0 0 0.8 10 10 cm /Outer Do',
    `${helvetica} /XObject << /Outer 10 0 R /Inner 11 0 R >>`,
    { 10: form('/Inner Do', '/Matrix [0.7 0.7 -0.7 0.7 100 -40]'), 11: form(drawing()) },
  ),
];

const ramp = Buffer.from(Array.from({ length: 64 }, (_, i) => i * 4));
const checks = Buffer.from(Array.from({ length: 64 }, (_, i) => ((i >> 2) + (i >> 5)) % 3));
const rgb = Buffer.from(Array.from({ length: 192 }, (_, i) => (i * 7) % 256));

const images: GoldenPdf[] = [
  row('an image with a soft mask', `${drawing()} ${drawImage}`, `${helvetica} /XObject << /I1 10 0 R >>`, {
    10: image('/Width 8 /Height 8 /ColorSpace /DeviceRGB /SMask 11 0 R', rgb),
    11: image('/Width 8 /Height 8 /ColorSpace /DeviceGray', ramp),
  }),
  row(
    'an image in three indexed colours, with a mask',
    `${drawing()} ${drawImage}`,
    `${helvetica} /XObject << /I1 10 0 R >>`,
    {
      10: image('/Width 8 /Height 8 /ColorSpace [/Indexed /DeviceRGB 2 11 0 R] /Mask [1 1]', checks),
      11: rawStream('', Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 120])),
    },
  ),
  row('indexed colours in a string with escapes', drawImage, '/XObject << /I1 10 0 R >>', {
    10: image('/Width 8 /Height 8 /ColorSpace [/Indexed /DeviceRGB 2 (\\\\\\(\\)\r\n\\n\\377\\0\xe9%/)]', checks),
  }),
  row('a compressed image with a predictor and a decode array', drawImage, '/XObject << /I1 10 0 R >>', {
    10: image(
      '/Width 8 /Height 8 /ColorSpace /DeviceGray /Decode [1 0] /Filter [/FlateDecode] /DecodeParms [<< /Predictor 12 /Columns 8 >>]',
      deflateSync(Buffer.concat(Array.from({ length: 8 }, () => Buffer.from([2, 9, 9, 9, 9, 40, 4, 4, 4])))),
    ),
  }),
  row(
    'a stencil, and an inline image',
    [
      `1 0 0 rg q 100 0 0 100 0 100 cm /I1 Do Q q 100 0 0 100 100 0 cm`,
      'BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 00804020> EI Q',
    ].join('\n'),
    '/XObject << /I1 10 0 R >>',
    {
      10: rawStream(
        '/Type /XObject /Subtype /Image /ImageMask true /Width 8 /Height 4 /BitsPerComponent 1',
        '\x0f\xf0\x33\xcc',
      ),
    },
  ),
];

/** What pages draw: colours, fonts, transparency and images. */
export const goldenContent: readonly GoldenPdf[] = [...colours, ...fonts, ...seeThrough, ...images];
