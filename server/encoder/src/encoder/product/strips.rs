//! How the versions for x86-64 go through a product; they differ in their registers only.

/// Defines `product` from the functions of the module around it: `zero`, `all` (a pair of
/// activations in every lane), `weights` (a block of columns of two rows, in pairs, in two
/// registers), `add_products` and `in_order` (two registers of sums as a block of columns).
///
/// Rows are taken so many at a time, against so many blocks of [`WIDTH`] columns, that their sums,
/// two registers each, fill most of the registers. Many rows share the widening of the weights; few
/// take more blocks, so that enough sums are under way to hide how long one takes.
macro_rules! strips {
    ($features:literal, rows and blocks: $(($rows:literal, $blocks:literal))+) => {
        /// The most rows at a time.
        const MOST_ROWS: usize = [$($rows),+].len();

        #[target_feature(enable = $features)]
        pub(super) fn product(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) {
            let blocks = matrix.width / WIDTH;
            let mut row = 0;
            while row < rows.rows {
                let count = MOST_ROWS.min(rows.rows - row);
                let strip = Strip {
                    activations: rows.pairs.get(row * rows.stride..).unwrap_or_default(),
                    stride: rows.stride,
                    pairs: matrix.depth / 2,
                    weights: matrix.bytes.as_chunks().0,
                    blocks,
                };
                let sums = sums.as_chunks_mut().0.get_mut(row * blocks..).unwrap_or_default();
                match count {
                    $($rows => strip.run::<$rows, $blocks>(sums),)+
                    _ => {}
                }
                row += count;
            }
        }

        /// Some rows, to be multiplied with all columns.
        #[derive(Clone, Copy)]
        struct Strip<'a> {
            activations: &'a [[i16; 2]],
            stride: usize,
            pairs: usize,
            weights: &'a [[u8; WIDTH]],
            /// Blocks of columns in a row of weights.
            blocks: usize,
        }

        impl Strip<'_> {
            #[target_feature(enable = $features)]
            #[inline]
            fn run<const R: usize, const B: usize>(self, sums: &mut [[i32; WIDTH]]) {
                let mut block = 0;
                while block + B <= self.blocks {
                    self.tile::<R, B>(block, sums);
                    block += B;
                }
                while block < self.blocks {
                    self.tile::<R, 1>(block, sums);
                    block += 1;
                }
            }

            #[target_feature(enable = $features)]
            #[inline]
            fn tile<const R: usize, const B: usize>(self, block: usize, sums: &mut [[i32; WIDTH]]) {
                let rows: [&[[i16; 2]]; R] = std::array::from_fn(|row| {
                    &self.activations[row * self.stride..][..self.pairs]
                });
                let mut totals = [[[zero(); 2]; R]; B];
                let weights_of_pairs = self.weights.chunks_exact(2 * self.blocks);
                for (pair, both) in weights_of_pairs.take(self.pairs).enumerate() {
                    let (even, odd) = both.split_at(self.blocks);
                    let (even, odd) = (&even[block..block + B], &odd[block..block + B]);
                    for ((totals, even), odd) in totals.iter_mut().zip(even).zip(odd) {
                        let [low, high] = weights(*even, *odd);
                        for (total, row) in totals.iter_mut().zip(&rows) {
                            let activations = all(row[pair]);
                            total[0] = add_products(total[0], activations, low);
                            total[1] = add_products(total[1], activations, high);
                        }
                    }
                }
                for (block, totals) in (block..).zip(totals) {
                    for (row, [low, high]) in totals.into_iter().enumerate() {
                        sums[row * self.blocks + block] = in_order(low, high);
                    }
                }
            }
        }
    };
}
pub(super) use strips;
